import { promises as dns } from 'node:dns';
import { connect } from 'node:net';
import type { Clock } from '../../deps.ts';
import { codeOf } from '../failure.ts';
import type { ReferenceHost } from './evidence.ts';

/** Which host to ask for a sign of life, and how. */
export type Question = Pick<ReferenceHost, 'address' | 'port' | 'via'>;

/**
 * Asks one host for a sign of life. Calls `answered` at most once. Returns a function that gives up and leaves no
 * socket open.
 */
export type ContactHost = (question: Question, answered: () => void) => () => void;

/** Longest wait for an answer. It is short, because a check may outlive its timeout by at most a second. */
const answerTimeoutMs = 800;
/** This many hosts are asked first. If none of them answers within `othersAfterMs`, the other hosts are asked too. */
const first = 3;
const othersAfterMs = 150;
/**
 * If a timer is late by more than `toleratedMs`, the process stalled. Answers may have arrived but not been read, so
 * the hosts get `afterStallMs` more.
 */
const toleratedMs = 100;
const afterStallMs = 150;

/**
 * Asks hosts in parallel and stops at the first sufficient answer. `onAnswer` is called for each answer, and returns
 * whether it is sufficient.
 */
export function contactHosts(
  clock: Clock,
  contact: ContactHost,
  questions: readonly Question[],
  onAnswer: (question: Question) => boolean,
): Promise<void> {
  if (questions.length === 0) return Promise.resolve();
  return new Promise((resolve) => {
    const open = new Set<() => void>();
    let done = false;
    let cancelOthers = () => {};
    let cancelEnd = () => {};
    const finish = () => {
      done = true;
      cancelOthers();
      cancelEnd();
      for (const giveUp of open) giveUp();
      open.clear();
      resolve();
    };
    const ask = (question: Question) => {
      if (done) return;
      const giveUp = contact(question, () => {
        if (done) return;
        open.delete(giveUp);
        if (onAnswer(question)) finish();
      });
      open.add(giveUp);
    };
    const end = (dueMonoMs: number, extended: boolean) => {
      cancelEnd = clock.after(Math.max(0, dueMonoMs - clock.monotonicMs()), () => {
        if (!extended && clock.monotonicMs() - dueMonoMs > toleratedMs) end(clock.monotonicMs() + afterStallMs, true);
        else finish();
      });
    };
    end(clock.monotonicMs() + answerTimeoutMs, false);
    if (questions.length > first)
      cancelOthers = clock.after(othersAfterMs, () => {
        for (const question of questions.slice(first)) ask(question);
      });
    for (const question of questions.slice(0, first)) ask(question);
  });
}

/** Asks a host for a sign of life: an accepted or refused connection, or any answer of a name server. */
export const contactHost: ContactHost = (question, answered) =>
  question.via === 'dns' ? contactByDns(question, answered) : contactByTcp(question, answered);

function contactByTcp({ address, port }: Question, answered: () => void): () => void {
  const socket = connect({ host: address, port });
  socket.on('error', (error) => {
    if (['ECONNREFUSED', 'ECONNRESET'].includes(codeOf(error))) answered();
  });
  socket.once('connect', () => {
    answered();
    socket.destroy();
  });
  return () => void socket.destroy();
}

function contactByDns({ address, port }: Question, answered: () => void): () => void {
  const channel = new dns.Resolver({ timeout: answerTimeoutMs, tries: 1 });
  channel.setServers([address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`]);
  channel.resolveNs('.').then(answered, (error: unknown) => {
    if (!['ETIMEOUT', 'ECONNREFUSED', 'ECANCELLED', 'EFILE'].includes(codeOf(error))) answered();
  });
  return () => channel.cancel();
}
