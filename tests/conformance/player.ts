// `node player.ts URL GAME SEATS`: a whole match on types that are generated from the API's description.
//
// Again and again it is cut off: it forgets all but its tokens and the version it had come to, and takes up the
// log from there. At the end it prints the match, and the versions of all commits that it was told of.

import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import createClient, { type Client } from "openapi-fetch";
import type { components, paths } from "./api.d.ts";

type Command = components["schemas"]["Command"];
type Progress = Pick<components["schemas"]["MatchDocument"], "status" | "to_act" | "version">;

const CUT_OFF = 12; // commits between two losses of memory
const PATIENCE = 60_000; // milliseconds without news

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

  async read(): Promise<Progress> {
    const { data, error } = await this.client.GET("/v1/matches/{match_id}", { params: { path: this.path } });
    return data ?? refused(error);
  }

  // What has happened since the version that was come to.
  async follow(): Promise<void> {
    const query = { after: this.version };
    const asked = { params: { path: this.path, query }, headers: { Accept: "application/json" } };
    const { data, error } = await this.client.GET("/v1/matches/{match_id}/log", asked);
    if (!data || typeof data === "string") return refused(error);
    this.heard.push(...data.items.map((commit) => commit.version));
    this.version = data.items.at(-1)?.version ?? this.version;
  }

  // Something legal, sent with a key of its own.
  async act(seat: number): Promise<Progress> {
    const headers = this.bearer(`seat:${seat}`);
    const params = { path: this.path };
    const legal = await this.client.GET("/v1/matches/{match_id}/legal", { params, headers });
    if (!legal.data) return refused(legal.error);
    const sent = await this.client.POST("/v1/matches/{match_id}/commands", {
      params: { path: this.path, header: { "Idempotency-Key": randomUUID() } },
      headers,
      body: choose(legal.data.commands),
    });
    return sent.data ?? refused(sent.error);
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
  let match = await player.read();
  let last = Date.now();
  while (match.status !== "finished") {
    const ours = match.to_act.find((seat) => `seat:${seat}` in player.tokens);
    match = ours === undefined ? await player.read() : await player.act(ours);
    const before = player.version;
    await player.follow();
    if (Math.floor(player.version / CUT_OFF) > Math.floor(before / CUT_OFF)) player = player.cutOff();
    if (player.version > before) last = Date.now();
    if (Date.now() - last > PATIENCE) throw new Error("the match does not go on");
    if (ours === undefined) await pause(50);
  }
  await player.follow();
  return player;
}

const [url = "", game = "", seats = "1"] = process.argv.slice(2);
const finished = await play(await sitDown(url, game, Number(seats)));
console.log(JSON.stringify({ match: finished.match, heard: finished.heard }));
