import type { Clock } from '../deps.ts';

/** How far the dialogue with a mail server has come. */
type Step = 'connecting' | 'talking' | 'handed over';

interface Limit {
  ms: number;
  /** What is said when it has passed. */
  text: string;
}

/**
 * A message that was handed over may be taken although the answer is slow: who gives up too soon sends it twice. So that
 * answer is awaited for as long as RFC 5321, 4.5.3.2.6, asks. Before that nothing is lost by another attempt, so that a
 * server that hangs is left after a minute: it is the operator's own, and has no reason to keep its clients waiting.
 */
const limits: Record<Step, Limit> = {
  connecting: { ms: 15_000, text: 'The mail server could not be connected to within 15 s.' },
  talking: {
    ms: 60_000,
    text: 'The mail server took no message within 60 s. If its port begins with TLS, UPTIME_SMTP_URL must begin with smtps://.',
  },
  'handed over': {
    ms: 10 * 60_000,
    text: 'The mail server did not answer within 10 min after the end of the message. It may have taken it.',
  },
};

/** Somebody waits for the outcome of a test, and a second one does no harm. */
const forTest: Limit = {
  ms: 15_000,
  text: 'The mail server took no message within 15 s. If its port begins with TLS, UPTIME_SMTP_URL must begin with smtps://.',
};

export interface SmtpDeadline {
  /** Ends the attempt. */
  signal: AbortSignal;
  /** Is to be told each entry of nodemailer's log: it says how far the dialogue has come. */
  heard(entry: unknown): void;
  /** What is said of the limit that has passed; null while none has. */
  passed(): string | null;
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
      if (next === null || next === step || test || end.signal.aborted) return;
      step = next;
      cancel();
      cancel = start(limits[step]);
    },
    passed: () => passed,
    cancel: () => cancel(),
  };
}

/** Nodemailer logs a connection with the address it reached, and the end of a message with its size. */
function stepAfter(entry: unknown): Step | null {
  if (typeof entry !== 'object' || entry === null || !('tnx' in entry)) return null;
  if (entry.tnx === 'network' && 'remoteAddress' in entry) return 'talking';
  return entry.tnx === 'message' && 'outByteCount' in entry ? 'handed over' : null;
}
