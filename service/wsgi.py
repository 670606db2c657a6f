"""What gunicorn serves."""

from service.http.access_log import write_access_log
from service.http.app import create_app
from service.http.gate import guard
from service.http.promised import promises
from service.opening import Gate
from service.places import StreamLimits
from service.play import Play
from service.settings import settings
from service.store.redis_client import connect
from service.store.redis_journal import RedisJournal
from service.store.redis_side import redis_side

SPARE = 64  # connections for streams and for what goes on beside requests

set_up = settings()
client = connect(set_up.redis_url, connections=set_up.requests_per_process + SPARE)
side = redis_side(client, set_up.partitions)
app = create_app(
    Play(RedisJournal(client, set_up.partitions)),
    side,
    StreamLimits(set_up.streams_per_caller, set_up.streams_per_process, set_up.stream_seconds),
)
guard(app, Gate(side.deployment, set_up.partitions))
app.config["CORS_ORIGINS"] = set_up.cors_origins
promises(app)  # read once, before the first request, not by it
if set_up.access_log:
    write_access_log()
