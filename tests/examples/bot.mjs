// A bot for any game. It needs Node 20 or newer, and no package.
//
// node bot.mjs URL whatnot 2             creates a match with two seats, one of them ours
// node bot.mjs URL m_kq4jx2w7tq2w5o3z…   sits down at somebody else's

const [url, game, seats = "1"] = process.argv.slice(2);
const pause = (seconds) => new Promise((done) => setTimeout(done, 1000 * seconds));
const name = `Bot ${crypto.randomUUID().slice(0, 8)}`; // no two players at a table look alike
let token = "";

// Asks until it is answered. A write carries a key: sent twice, it happens once.
async function ask(method, path, body) {
  const headers = {};
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body) Object.assign(headers, { "Content-Type": "application/json", "Idempotency-Key": crypto.randomUUID() });
  for (;;) {
    try {
      const answer = await fetch(url + path, { method, headers, body: JSON.stringify(body) });
      const text = await answer.text(); // may be cut off, too
      if (answer.status !== 429 && answer.status !== 503)
        return { status: answer.status, text, json: JSON.parse(text) };
      await pause(Number(answer.headers.get("Retry-After") ?? 1));
    } catch {
      await pause(0.2);
    }
  }
}

const open = Array.from({ length: Number(seats) - 1 }, () => ({ open: true }));
const made = game.startsWith("m_")
  ? await ask("POST", `/v1/matches/${game}/seats`, { name })
  : await ask("POST", "/v1/matches", { game, seats: [{ name }, ...open] });
if (made.status !== 201) throw new Error(made.text);
let { match, tokens } = made.json;
const { links } = match;
const seat = Object.keys(tokens).find((actor) => actor.startsWith("seat:"));
token = tokens[seat];
console.log(`I am ${seat} of ${match.id}.`);

while (match.status !== "finished" && match.status !== "closed") {
  if (match.to_act.includes(Number(seat.slice("seat:".length)))) {
    const legal = (await ask("GET", links.legal)).json.commands;
    if (legal.length > 0) {
      // Whatever is legal is ready to be sent; 409: somebody was quicker, look again.
      const sent = await ask("POST", links.commands, legal[Math.floor(Math.random() * legal.length)]);
      if (sent.status !== 201 && sent.status !== 409) throw new Error(sent.text);
    }
  }
  await ask("GET", `${links.log}?after=${match.version}&wait=20`); // until there is news
  match = (await ask("GET", links.self)).json;
}
console.log((await ask("GET", links.score)).text);
