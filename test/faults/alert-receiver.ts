import { httpTarget } from '../../packages/daemon/src/testing/targets/index.ts';

/** How a receiver of alerts treats a request: accepts it, returns 500, never answers, or resets the connection. */
export type Behaviour = 'accept' | 'fail' | 'hang' | 'cut';

/** A message that a receiver accepted. */
export interface Received {
  /** The delivery's id. */
  id: string;
  event: string;
  monitor: string;
  at: number;
}

/** The destination of a webhook channel. It records accepted messages. `behave` decides how it treats a request. */
export interface AlertReceiver extends AsyncDisposable {
  /** The body that creates the channel. */
  channel: { type: 'webhook'; name: string; config: { url: string } };
  received: Received[];
  behave: (request: { id: string }) => Behaviour;
  /** The number of all requests, accepted or not. */
  requests(): number;
}

export async function alertReceiver(
  name: string,
  behave: AlertReceiver['behave'] = () => 'accept',
): Promise<AlertReceiver> {
  const target = await httpTarget((request, response) => {
    const { body = '' } = target.requests.at(-1) ?? {};
    const id = String(request.headers['webhook-id']);
    const behaviour = receiver.behave({ id });
    if (behaviour === 'accept') {
      const { event, monitor } = JSON.parse(body) as { event: string; monitor: { name: string } };
      receiver.received.push({ id, event, monitor: monitor.name, at: Date.now() });
      response.end('thanks');
    } else if (behaviour === 'fail') response.writeHead(500).end('not now');
    else if (behaviour === 'cut') request.socket.resetAndDestroy();
  });
  const receiver: AlertReceiver = {
    channel: { type: 'webhook', name, config: { url: `${target.url}/alerts` } },
    received: [],
    behave,
    requests: () => target.requests.length,
    [Symbol.asyncDispose]: () => target[Symbol.asyncDispose](),
  };
  return receiver;
}

/** Returns the events that a receiver accepted, by monitor, in order. A message that came twice is listed once. */
export function storyOf({ received }: AlertReceiver): Map<string, string[]> {
  const seen = new Set<string>();
  const story = new Map<string, string[]>();
  for (const { id, event, monitor } of received) {
    if (seen.has(id)) continue;
    seen.add(id);
    story.set(monitor, [...(story.get(monitor) ?? []), event]);
  }
  return story;
}

/** Returns the ids of the messages that a receiver accepted more than once. */
export function repeated({ received }: AlertReceiver): Set<string> {
  const seen = new Set<string>();
  return new Set(received.map(({ id }) => id).filter((id) => seen.size === seen.add(id).size));
}
