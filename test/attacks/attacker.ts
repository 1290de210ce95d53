import { setPriority } from 'node:os';
import { argv } from 'node:process';
import { type Attacker, type AttackName, attacks, send } from './attacks.ts';

// Runs as a separate process. It attacks a server from its own account, with each named attack, until it is killed.
// Usage: node attacker.ts <url> <attack>... A real attacker uses another machine. This process shares a machine with
// the daemon, so it gets a low priority.
setPriority(19);
const [url, ...names] = argv.slice(2) as [string, ...AttackName[]];
const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  send(url + path, { method: 'POST', body, headers });

const person = { name: 'mallory', email: 'mallory@example.org', password: 'correct horse battery' };
const { cookies } = await post('/api/auth/sign-up/email', person);
const cookie = cookies.map((one) => one.split(';')[0]).join('; ');
const go: (() => Promise<void>)[] = [];
for (const name of names) {
  const project = await post('/api/projects', { name }, { cookie, origin: url });
  const headers = { 'x-api-key': (project.body as { apiKey: string }).apiKey };
  const call: Attacker['call'] = async (method, path, body) => (await send(url + path, { method, body, headers })).body;
  go.push(await attacks[name]({ url, call }));
}
process.send?.('prepared');
process.once('message', () => void Promise.all(go.map((one) => one())));
