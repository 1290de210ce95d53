import type { Clock } from '../deps.ts';

/** The progress of the dialogue with a mail server. `handed over`: the whole message was sent. */
type Step = 'connecting' | 'talking' | 'handed over';

interface Limit {
  ms: number;
  /** The text of the error if this limit has passed. */
  text: string;
}

/**
 * The time limit of each step. The steps before the end of the message have short limits. The operator's own server has
 * no reason to keep clients waiting, and another attempt does no harm. After the end of the message, a slow server may
 * have accepted the message, and another attempt would send it twice. So the attempt waits for the answer as long as
 * RFC 5321, 4.5.3.2.6, requires.
 */
const limits: Record<Step, Limit> = {
  connecting: { ms: 15_000, text: 'The mail server did not accept a connection within 15 s.' },
  talking: {
    ms: 60_000,
    text: 'The mail server did not accept the message within 60 s. If its port begins with TLS, UPTIME_SMTP_URL must begin with smtps://.',
  },
  'handed over': {
    ms: 10 * 60_000,
    text: 'The mail server did not answer within 10 min after the end of the message. It may have accepted the message.',
  },
};

/** The limit of an attempt to send a test or a code. A user waits for the result, and a second message does no harm. */
const forTest: Limit = {
  ms: 15_000,
  text: 'The mail server did not accept the message within 15 s. If its port begins with TLS, UPTIME_SMTP_URL must begin with smtps://.',
};

export interface SmtpDeadline {
  /** Ends the attempt. */
  signal: AbortSignal;
  /** Call it with each entry of nodemailer's log, which shows how far the dialogue has come. */
  heard(entry: unknown): void;
  /** Returns the text of the limit that has passed; null if no limit has passed. */
  passed(): string | null;
  /** Whether the whole message was sent. If so, the server may have accepted it, even without an answer. */
  handedOver(): boolean;
  cancel(): void;
}

/** Starts the time limits of one attempt to send a mail. */
export function startSmtpDeadline(clock: Clock, { test }: { test: boolean }): SmtpDeadline {
  const end = new AbortController();
  let passed: string | null = null;
  const start = ({ ms, text }: Limit) =>
    clock.after(ms, () => {
      passed = text;
      end.abort();
    });
  let step: Step = 'connecting';
  let cancel = start(test ? forTest : limits[step]);
  return {
    signal: end.signal,
    heard(entry) {
      const next = stepAfter(entry);
      if (next === null || next === step || end.signal.aborted) return;
      step = next;
      if (test) return;
      cancel();
      cancel = start(limits[step]);
    },
    passed: () => passed,
    handedOver: () => step === 'handed over',
    cancel: () => cancel(),
  };
}

/**
 * Returns the step that a log entry shows. The entry about a new connection has a remote address. The entry about the
 * end of the message has its size.
 */
function stepAfter(entry: unknown): Step | null {
  if (typeof entry !== 'object' || entry === null || !('tnx' in entry)) return null;
  if (entry.tnx === 'network' && 'remoteAddress' in entry) return 'talking';
  return entry.tnx === 'message' && 'outByteCount' in entry ? 'handed over' : null;
}
