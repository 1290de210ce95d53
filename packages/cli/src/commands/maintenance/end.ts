import { maintenance } from '../../nouns/maintenance.ts';
import { plain } from '../../output.ts';
import { onOne } from '../../verbs/on-one.ts';
import { endingFlags, endingPatch, readEnding } from '../incidents/end-incident.ts';

const command = 'maintenance end';

export const endMaintenance = onOne(maintenance, {
  verb: 'end',
  summary: 'end a maintenance window early, or cancel a scheduled one',
  examples: ["maintenance end 'Database move'", "maintenance end 'Database move' --message 'Done early.'"],
  flags: endingFlags,
  read: readEnding,
  check: async (options) => void (await endingPatch(options, command)),

  async run({ id, title, resolvedAt }, options, connection) {
    const { client, signal, io } = connection;
    if (resolvedAt !== null) io.say(`${JSON.stringify(plain(title))} had already ended at ${resolvedAt}.`);
    const ended = await client.incidents.update(id, await endingPatch(options, command), { signal });
    await maintenance.show(ended, options, connection);
  },
});
