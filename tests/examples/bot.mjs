// A bot for any game. It needs Node 20 or newer, and no package.
//
// node bot.mjs URL whatnot 2             creates a match with two seats, one of them ours
// node bot.mjs URL m_kq4jx2w7tq2w5o3z…   takes a seat in somebody else's

const [url, game, seats = "1"] = process.argv.slice(2);
const pause = (seconds) => new Promise((done) => setTimeout(done, 1000 * seconds));
const name = `Bot ${crypto.randomUUID().slice(0, 8)}`; // no two players at a table look alike
let token = "";

// Asks until there is an answer. A write carries a key: sent twice, it happens once.
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
const { match, tokens } = made.json;
const { links } = match;
const seat = Object.keys(tokens).find((actor) => actor.startsWith("seat:"));
token = tokens[seat];
console.log(`I am ${seat} of ${match.id}.`);

let { status } = match;
while (status !== "finished" && status !== "closed") {
  // Answers when it is our turn; whatever is legal is ready to send.
  const turn = (await ask("GET", `${links.legal}?wait=20`)).json;
  status = turn.status;
  if (turn.commands.length > 0) {
    const sent = await ask("POST", links.commands, turn.commands[Math.floor(Math.random() * turn.commands.length)]);
    // 409: somebody was quicker, look again.
    if (sent.status !== 201 && sent.status !== 409) throw new Error(sent.text);
  }
}
console.log((await ask("GET", links.score)).text);
