import type { RequestOptions } from '../options.ts';
import { path } from '../path.ts';
import type { Api } from '../request.ts';
import type { Channel, ChannelInput, ChannelPatch, ListQuery } from '../types.ts';

/** Channels that receive alerts. Each of the fourteen types has its own config. */
export const channels = (api: Api) => ({
  /**
   * Lists the channels of the project, oldest first.
   *
   * @example
   * const all = await uptime.channels.list();
   */
  list: (query: ListQuery = {}, options?: RequestOptions): Promise<Channel[]> =>
    api.send({ path: '/notification-channels', query }, options),

  /**
   * Yields the entries of `list` one by one. Requests them page by page.
   *
   * @example
   * for await (const { id } of uptime.channels.iterate()) console.log(id);
   */
  iterate: (query: ListQuery = {}, options?: RequestOptions) =>
    api.pages<Channel>({ path: '/notification-channels', query }, options),

  /**
   * Creates a channel. Every answer masks the secrets of the config.
   *
   * @example
   * await uptime.channels.create({ type: 'email', name: 'On call', config: { address: 'ops@example.com' } });
   */
  create: (body: ChannelInput, options?: RequestOptions): Promise<Channel> =>
    api.send({ method: 'POST', path: '/notification-channels', body, creates: true }, options),

  /**
   * Changes a channel. A masked value keeps the stored value.
   *
   * @example
   * await uptime.channels.update('chn_1', { config: { webhookUrl: 'https://chat.example.com/hook' } });
   */
  update: (id: string, body: ChannelPatch, options?: RequestOptions): Promise<Channel> =>
    api.send({ method: 'PATCH', path: path`/notification-channels/${id}`, body }, options),

  /**
   * Deletes a channel.
   *
   * @example
   * await uptime.channels.delete('chn_1');
   */
  delete: (id: string, options?: RequestOptions): Promise<void> =>
    api.send({ method: 'DELETE', path: path`/notification-channels/${id}`, bodyless: true }, options),

  /**
   * Sends a test notification. Throws `ServerError` with the provider's answer if the provider refuses it.
   *
   * @example
   * await uptime.channels.test('chn_1');
   */
  test: (id: string, options?: RequestOptions): Promise<void> =>
    api.send({ method: 'POST', path: path`/notification-channels/${id}/test`, bodyless: true }, options),

  /**
   * Confirms the address of a channel by the code that was sent there. Without a code, the server sends a new code.
   *
   * @example
   * const { confirmedAt } = await uptime.channels.confirm('chn_1', '123456');
   */
  confirm: (id: string, code?: string, options?: RequestOptions): Promise<Channel> =>
    api.send({ method: 'POST', path: path`/notification-channels/${id}/confirm`, body: { code } }, options),
});
