// `node player.ts URL GAME SEATS`: a whole match on types that are generated from the API's description, and on
// the stream of its log.
//
// Again and again it is cut off: it forgets all but its tokens and the version it had come to, and takes up the
// stream from there. At the end it prints the match, and the versions of all commits that it was told of.

import { randomUUID } from "node:crypto";
import { EventSourceParserStream } from "eventsource-parser/stream";
import createClient, { type Client } from "openapi-fetch";
import type { components, paths } from "./api.d.ts";

type Command = components["schemas"]["Command"];
type Match = components["schemas"]["MatchDocument"];

const CUT_OFF = 12; // commits between two losses of memory

class Player {
  version = 0;
  readonly heard: number[] = [];
  readonly url: string;
  readonly match: string;
  readonly tokens: Record<string, string>;
  client: Client<paths>;

  constructor(url: string, match: string, tokens: Record<string, string>) {
    [this.url, this.match, this.tokens] = [url, match, tokens];
    this.client = createClient<paths>({ baseUrl: url });
  }

  get path() {
    return { match_id: this.match };
  }

  bearer(actor: string) {
    return { Authorization: `Bearer ${this.tokens[actor]}` };
  }

  async read(): Promise<Match> {
    const { data, error } = await this.client.GET("/v1/matches/{match_id}", { params: { path: this.path } });
    return data ?? refused(error);
  }

  // Hears what happens since the version that was come to, and acts, until cut off; true at the end.
  async follow(): Promise<boolean> {
    const known = this.version;
    const { data, response, error } = await this.client.GET("/v1/matches/{match_id}/log", {
      params: { path: this.path },
      headers: { Accept: "text/event-stream", "Last-Event-ID": String(known) },
      parseAs: "stream",
    });
    if (response.status === 204) return true;
    if (!data) return refused(error);
    const stream = data as ReadableStream<Uint8Array<ArrayBuffer>>;
    for await (const event of stream.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())) {
      if (event.event === "end") return true;
      if (event.event === "commit") {
        this.version = JSON.parse(event.data).version as number;
        this.heard.push(this.version);
      }
      if (this.version >= known + CUT_OFF) return false;
      await this.act();
    }
    return false;
  }

  // If nothing has happened that was not heard of: something legal, sent with a key of its own.
  async act(): Promise<void> {
    const match = await this.read();
    const seat = match.to_act.find((each) => `seat:${each}` in this.tokens);
    if (match.version !== this.version || seat === undefined) return;
    const headers = this.bearer(`seat:${seat}`);
    const legal = await this.client.GET("/v1/matches/{match_id}/legal", { params: { path: this.path }, headers });
    if (!legal.data) return refused(legal.error);
    const { error } = await this.client.POST("/v1/matches/{match_id}/commands", {
      params: { path: this.path, header: { "Idempotency-Key": randomUUID() } },
      headers,
      body: choose(legal.data.commands),
    });
    if (error) refused(error);
  }

  cutOff(): Player {
    const again = new Player(this.url, this.match, this.tokens);
    again.version = this.version;
    again.heard.push(...this.heard);
    return again;
  }
}

function refused(error: components["schemas"]["ProblemDocument"] | undefined): never {
  throw new Error(JSON.stringify(error));
}

// A story if there is one to tell, a card if there is one to take, else whatever comes to mind.
function choose(commands: Command[]): Command {
  const wanted = commands.find((command) => command.type === "tell_adventure" || command.type === "take_card");
  const club = commands.find((command) => command.type === "move" && command.to === "club");
  const chosen = wanted ?? club ?? commands[Math.floor(Math.random() * commands.length)];
  if (!chosen) throw new Error("nothing is legal");
  return chosen;
}

async function sitDown(url: string, game: string, seats: number): Promise<Player> {
  const names = Array.from({ length: seats }, (_, seat) => ({ name: `Player ${seat}` }));
  const { data, error } = await createClient<paths>({ baseUrl: url }).POST("/v1/matches", {
    params: { header: { "Idempotency-Key": randomUUID() } },
    body: { game, seats: names },
  });
  return data ? new Player(url, data.match.id, data.tokens) : refused(error);
}

async function play(player: Player): Promise<Player> {
  while (!(await player.follow())) player = player.cutOff();
  return player;
}

const [url = "", game = "", seats = "1"] = process.argv.slice(2);
const finished = await play(await sitDown(url, game, Number(seats)));
console.log(JSON.stringify({ match: finished.match, heard: finished.heard }));
