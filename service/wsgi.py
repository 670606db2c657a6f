"""What gunicorn serves."""

from service.bootstrap import bootstrap
from service.http.app import create_app
from service.http.middleware.access_log import write_access_log
from service.http.middleware.contract_guard import promises
from service.http.middleware.store_gate import StoreGate, guard
from service.live.stream_slots import StreamLimits
from service.redis_store.client import connect
from service.settings import settings

SPARE = 64  # connections for streams and for what goes on beside requests

set_up = settings()
client = connect(set_up.redis_url, connections=set_up.requests_per_process + SPARE)
dependencies = bootstrap(client, set_up.partitions)
streams = StreamLimits(set_up.streams_per_caller, set_up.streams_per_process, set_up.stream_seconds)
app = create_app(dependencies, streams)
guard(app, StoreGate(dependencies.deployment, set_up.partitions))
app.config["CORS_ORIGINS"] = set_up.cors_origins
promises(app)  # read once, before the first request, not by it
if set_up.access_log:
    write_access_log()
