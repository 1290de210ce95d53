import { faultAt } from '@uptime/sdk/contract';
import { invalid, ServiceError } from '../../errors.ts';
import { codeTries, enterCode } from '../../alerting/confirmations/enter-code.ts';
import { issueCode } from '../../alerting/confirmations/issue-code.ts';
import { confirmCommand, needsConfirmation } from '../../alerting/confirmations/unconfirmed.ts';
import { unreadable } from '../../alerting/notifier.ts';
import type { ChannelRow } from '../../store/tables.ts';
import { findRow } from '../find-row.ts';
import type { AnswerOf, Backend, Handler, Request } from '../handler.ts';
import { lockProject } from '../lock-project.ts';
import { renderChannel } from './read.ts';
import { sendCode } from './send-code.ts';

/**
 * Confirms the address of a channel if the request has the code that was sent there. If the request has no code, sends
 * a new code.
 */
export const confirmChannel: Handler<'confirmChannel'> = (request, backend) =>
  request.body.code === undefined ? sendAnother(request, backend) : enter(request, backend, request.body.code);

type Asked = Request<'confirmChannel'>;
type Answer = AnswerOf<'confirmChannel'>;

async function sendAnother(request: Asked, backend: Backend): Promise<Answer> {
  const { store, notifier, messageRules, deps } = backend;
  const now = deps.clock.now();
  const { channel, issue } = await store.write(async (trx) => {
    await lockProject(trx, request.project);
    const row = await findRow(trx, 'channel', request.project, request.params.channelId);
    refuseNeedless(row, backend);
    const config = notifier.open(row);
    const address = config && messageRules.addresses.of(row.type, config);
    if (address === null) throw new ServiceError('conflict', unreadable);
    return {
      channel: row,
      issue: await issueCode(trx, messageRules, { channel: row, project: request.project, address, now }),
    };
  });
  if (!issue.ok) {
    const retryAfter = Math.ceil((issue.until - now) / 1000);
    throw new ServiceError('rate_limited', issue.why, { retryAfterSeconds: retryAfter });
  }
  const shown = await sendCode(backend, { channel, issued: issue.issued });
  if (shown.lastError !== null) throw new ServiceError('delivery_failed', shown.lastError);
  return shown;
}

async function enter(request: Asked, backend: Backend, code: string): Promise<Answer> {
  const { store, messageRules, deps } = backend;
  const { id, entered, shown } = await store.write(async (trx) => {
    await lockProject(trx, request.project);
    const row = await findRow(trx, 'channel', request.project, request.params.channelId);
    refuseNeedless(row, backend);
    const about = { channel: row, project: request.project, code, now: deps.clock.now() };
    const entered = await enterCode(trx, messageRules.addresses, about);
    const after = await findRow(trx, 'channel', request.project, row.id);
    return { id: row.id, entered, shown: renderChannel(after, backend) };
  });
  if (entered.result === 'confirmed') return shown;
  // This is thrown only after the commit, so that the wrong entry stays counted.
  if (entered.result === 'wrong') throw invalid([faultAt('code', 'wrong_code', { triesLeft: entered.left })]);
  throw new ServiceError('conflict', `${reasons[entered.result]}: \`${confirmCommand(id)}\` sends a new one.`);
}

const reasons = {
  void: `The code is void after ${codeTries} wrong tries`,
  expired: 'The code was valid for 30 minutes and has expired',
  none: 'There is no code to enter',
};

function refuseNeedless(row: ChannelRow, { messageRules }: Backend): void {
  if (!needsConfirmation(row, messageRules))
    throw new ServiceError('conflict', 'This channel needs no confirmation: alerts go there already.');
  if (row.confirmed_at !== null)
    throw new ServiceError('conflict', 'The address of this channel is confirmed already.');
}
