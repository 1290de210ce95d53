import type { IncomingMessage } from 'node:http';
import type { Readable, Transform } from 'node:stream';
import { maxDecodedBytes, decodingOf, encodingsOf } from './body-encodings.ts';
import { createBodySearch } from './body-search.ts';
import type { ByteLease } from './byte-budget.ts';
import type { Interruption } from './deadline.ts';
import { CheckFailure, codeOf, interrupted } from './failure.ts';
import { note, type Run, spent } from './run.ts';
import { isTlsError, tlsFailure } from './tls-failure.ts';

/** Maximum number of bytes that a check reads of a body without searching it. See `drainBody`. */
const maxDrainedBytes = 64 * 1024;
/** Longest time that a check reads a body without searching it. */
const maxDrainMs = 250;
/** How many decoded bytes are searched in one turn of the event loop. */
const searchedInTurn = 128 * 1024;
/** Time that the decoders get after the timeout to write their remaining output. */
const finalOutputMs = 250;
/** Memory that a body needs even without decoders: the bytes that the connection has read ahead. */
const connectionBytes = 8 * 1024;

/** The result of searching a body. */
export interface SearchedBody {
  found: boolean;
  /** Decoded bytes that were read. */
  size: number;
}

/**
 * Decodes up to 1 MiB of the body and searches it for a text. The search keeps no decoded bytes, and stops when it has
 * found the text. Throws a CheckFailure if the body breaks off, cannot be decoded or does not arrive in time.
 */
export function searchBody(run: Run, response: IncomingMessage, wanted: string): Promise<SearchedBody> {
  const { clock, memory, project } = run.context;
  const fromMonoMs = clock.monotonicMs();
  const search = createBodySearch(wanted, response.headers['content-type']);
  const lease = memory.lease(project ?? '');
  return new Promise((resolve, reject) => {
    let size = 0;
    let inTurn = 0;
    let settled = false;
    let decoders: Transform[] = [];
    let last: Readable | null = null;
    let keepsOutput = false;
    /** Why no further bytes of the body can be read; null while they can. */
    let broken: CheckFailure | null = null;
    let cancelFinalOutput = () => {};

    const settle = (failure: CheckFailure | null, found = false) => {
      if (settled) return;
      settled = true;
      cancelFinalOutput();
      run.deadline.offInterrupt();
      // Stops decoding. The end of a response does not end its decoders.
      for (const decoder of decoders) decoder.destroy();
      lease.end();
      spent(run, 'download', fromMonoMs);
      note(run, `read ${size} bytes of body${found ? ', up to the text' : ''}`);
      if (failure) reject(failure);
      else resolve({ found, size });
    };
    const take = (chunk: Buffer): void => {
      if (settled) return;
      const taken = chunk.subarray(0, maxDecodedBytes - size);
      size += taken.length;
      inTurn += taken.length;
      if (search.take(taken)) settle(null, true);
      else if (size === maxDecodedBytes) settle(null);
    };
    /** Searches everything that arrived, even bytes that were unread when the connection broke. */
    const finish = () => {
      last?.off('data', read);
      for (let left = last?.read() as Buffer | null | undefined; left; left = last?.read() as Buffer | null) take(left);
      settle(broken);
    };
    const read = (chunk: Buffer): void => {
      take(chunk);
      const turnIsOver = inTurn >= searchedInTurn;
      if (settled || (!turnIsOver && !keepsOutput)) return;
      last?.pause();
      const goOn = () => {
        inTurn = 0;
        if (!settled) last?.resume();
      };
      const granted = () => (turnIsOver ? void setImmediate(goOn) : goOn());
      if (keepsOutput) lease.take(chunk.length, granted);
      else granted();
    };
    const begin = (decoding: Decoders | null) => {
      decoders = decoding?.decoders ?? [];
      keepsOutput = decoding?.keepsOutput ?? false;
      last = connectStages(response, decoders, {
        fail: (error) => void (broken ??= bodyFailure(error, response)),
        read,
        end() {
          if (decoders.length === 0 && !response.complete) broken ??= incomplete();
          finish();
        },
        finish,
      });
    };
    run.deadline.onInterrupt((why) => {
      // If bytes have arrived and are not decoded yet, the checker caused the delay, not the target.
      const isCheckerDelay =
        response.complete || lease.waiting || decoders.some(({ writableLength }) => writableLength > 0);
      broken ??= cutShort(run, why, isCheckerDelay);
      const [first] = decoders;
      if (why !== 'timeout') return settle(broken);
      if (!first || lease.waiting) return finish();
      cancelFinalOutput = clock.after(finalOutputMs, finish);
      response.unpipe(first);
      first.end();
    });
    if (run.deadline.over) return;
    // The connection may break while the check waits for memory or for the first byte.
    response.once('error', (error) => {
      broken ??= bodyFailure(error, response);
      if (last === null) settle(broken);
    });
    openDecoders(run, response, lease, begin);
  });
}

/** How a body is decoded. */
interface Decoders {
  decoders: Transform[];
  /** Whether a decoder keeps its output in memory. If so, the body's lease has to count the output too. */
  keepsOutput: boolean;
}

/**
 * Calls `begin` with the decoders of a body, as soon as their memory is granted and the body's first byte has arrived.
 * If the body needs no decoder, because it has no encoding or no bytes, `begin` gets null.
 */
function openDecoders(
  run: Run,
  response: IncomingMessage,
  lease: ByteLease,
  begin: (decoding: Decoders | null) => void,
): void {
  const encodings = encodingsOf(response);
  lease.take(connectionBytes, () => {
    if (encodings.length === 0) return begin(null);
    // A body without bytes needs no decoder, whatever encoding its header names.
    response.once('readable', () => {
      const first = response.read() as Buffer | null;
      if (first === null) return begin(null);
      response.unshift(first);
      const { bytes, make, keepsOutput } = decodingOf(encodings, first[0]!);
      lease.take(bytes, () => begin({ decoders: make(run.context, lease), keepsOutput }));
    });
  });
}

interface StageEvents {
  fail: (error: Error) => void;
  read: (chunk: Buffer) => void;
  /** Called when the last stage has ended without an error. */
  end: () => void;
  /** Called when the last stage has failed. */
  finish: () => void;
}

/**
 * Pipes a body through its decoders. The body is the first stage, and each decoder is a further stage. Returns the last
 * stage. An error in one stage ends the next stage, which then writes its remaining output.
 */
function connectStages(response: IncomingMessage, decoders: readonly Transform[], on: StageEvents): Readable {
  const stages: Readable[] = [response, ...decoders];
  for (const [place, stage] of stages.entries()) {
    const next = decoders[place];
    stage.on('error', (error) => {
      on.fail(error);
      if (next) next.end();
      else on.finish();
    });
    if (next) stage.pipe(next);
  }
  const last = stages.at(-1)!;
  last.on('data', on.read);
  last.once('end', on.end);
  return last;
}

/**
 * Returns the failure of a body that is incomplete when the check is interrupted. `isCheckerDelay` says that the
 * checker caused the delay, not the target.
 */
const cutShort = (run: Run, why: Interruption, isCheckerDelay: boolean): CheckFailure =>
  why === 'timeout' && isCheckerDelay
    ? new CheckFailure('internal', 'the checker was too slow to decode the body in time')
    : interrupted(why, 'timeout', `the body did not arrive within ${run.timeoutSeconds} s`);

function bodyFailure(error: Error, response: IncomingMessage): CheckFailure {
  if (error instanceof CheckFailure) return error;
  const code = codeOf(error);
  if (isTlsError(error)) return tlsFailure(error, false);
  if (/^(Z_|ERR_|ZSTD_|BROTLI_|ERR__ERROR)/.test(code) && code !== 'ERR_STREAM_PREMATURE_CLOSE') {
    const framed = 'content-length' in response.headers || 'transfer-encoding' in response.headers;
    if (code === 'Z_BUF_ERROR' && !framed) return incomplete();
    const how = response.headers['content-encoding'] ?? '';
    const why = code === 'Z_BUF_ERROR' ? 'it ends too early' : 'its bytes are corrupt';
    return new CheckFailure('http_decode', `the body does not decode as ${how}: ${why}`);
  }
  if (code.startsWith('HPE_')) return new CheckFailure('http_protocol', `the body breaks HTTP's framing (${code})`);
  return incomplete();
}

const incomplete = () => new CheckFailure('http_incomplete', 'the connection closed before the end of the body');

/**
 * Reads the start of a body that is not searched, so that the connection closes cleanly. Throws a CheckFailure if the
 * connection breaks meanwhile. Stops after `maxDrainedBytes` or `maxDrainMs`, and ignores the rest of the body.
 */
export function drainBody(run: Run, response: IncomingMessage): Promise<void> {
  if (response.complete) return Promise.resolve();
  return new Promise((resolve, reject) => {
    let size = 0;
    const settle = () => {
      giveUp();
      run.deadline.offInterrupt();
      resolve();
    };
    const giveUp = run.context.clock.after(maxDrainMs, settle);
    run.deadline.onInterrupt(settle);
    response.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size >= maxDrainedBytes) settle();
    });
    response.once('end', settle);
    response.once('error', (error) => {
      giveUp();
      run.deadline.offInterrupt();
      reject(bodyFailure(error, response));
    });
  });
}
