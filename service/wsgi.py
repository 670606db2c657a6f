"""What gunicorn serves."""

from service.http.access_log import write_access_log
from service.http.app import create_app
from service.http.promised import promises
from service.play import Play
from service.settings import settings
from service.store.redis_client import connect
from service.store.redis_journal import RedisJournal
from service.store.redis_side import redis_side

client = connect(settings().redis_url)
app = create_app(Play(RedisJournal(client, settings().partitions)), redis_side(client))
app.config["CORS_ORIGINS"] = settings().cors_origins
promises(app)  # read once, before the first request, not by it
if settings().access_log:
    write_access_log()
