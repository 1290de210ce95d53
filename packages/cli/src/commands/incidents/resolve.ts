import { incidents } from '../../nouns/incidents.ts';
import { onOne } from '../../verbs/on-one.ts';
import { endingFlags, endingPatch, readEnding } from './end-incident.ts';

const command = 'incidents resolve';

export const resolveIncident = onOne(incidents, {
  verb: 'resolve',
  summary: 'end an incident',
  examples: [
    "incidents resolve 'Checkout is slow'",
    "incidents resolve 'Checkout is slow' --message 'The cable is whole again.'",
  ],
  flags: endingFlags,
  read: readEnding,
  check: async (options) => void (await endingPatch(options, command)),

  async run({ id }, options, connection) {
    const { client, signal } = connection;
    const ended = await client.incidents.update(id, await endingPatch(options, command), { signal });
    await incidents.show(ended, options, connection);
  },
});
