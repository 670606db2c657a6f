"""What gunicorn serves."""

from service.http.app import create_app
from service.play import Play
from service.settings import settings
from service.store.redis_client import connect
from service.store.redis_journal import RedisJournal

app = create_app(Play(RedisJournal(connect(settings().redis_url), settings().partitions)))
