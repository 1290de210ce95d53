import { type CliCommand, command } from '../command.ts';
import { CliError } from '../exit.ts';
import { connect } from '../connection.ts';
import { isWide, readShown, type Shown, shownFlags, wideFlag } from '../flags/output-flags.ts';
import { settingFlags } from '../flags/raw-flags.ts';
import { listTable } from '../list-table.ts';
import type { Choice, Listing, Noun } from '../nouns/noun.ts';
import { output } from '../output.ts';
import type { SettingFlags } from '../settings.ts';

interface ListOptions<T> extends Shown {
  settings: SettingFlags;
  wide: boolean;
  choice: Choice<T>;
}

/** Returns the command that lists the resources of a noun. */
export const list = <T extends { id: string }>(
  noun: Pick<Noun<T>, 'word' | 'account'> & { list: Listing<T> },
): CliCommand => {
  const { word, account, list: listing } = noun;
  const { aliases, summary, examples } = listing;
  return command<ListOptions<T>>({
    path: `${word} list`,
    ...(aliases && { aliases }),
    summary,
    examples,
    define(command) {
      listing.flags?.(command);
      wideFlag(command);
      listing.moreFlags?.(command);
      shownFlags(command);
    },
    parse: (_args, flags) => ({
      settings: settingFlags(flags),
      ...readShown(flags),
      wide: isWide(flags),
      choice: listing.choose?.(flags) ?? {},
    }),

    async run({ settings, format, quiet, wide, choice }, context) {
      const connection = await connect(settings, context, { account });
      const { io } = context;
      const all = await (choice.read ?? listing.read)(connection).catch((error) => refuse(error, word));
      const terminal = format === 'table' && !quiet && io.stdout.isTTY === true;
      const rows = choice.rows?.(all, terminal) ?? all;
      if (quiet) {
        if (rows.length > 0) io.print(rows.map(({ id }) => id).join('\n'));
        return 'ok';
      }
      const empty = choice.empty?.(all) ?? listing.empty;
      if (rows.length === 0 && empty !== undefined) io.say(empty);
      if (terminal && listing.onTerminal) {
        if (rows.length > 0) io.print(await listing.onTerminal(rows, wide, connection));
        return 'ok';
      }
      const named = rows.length > 0 && format === 'table' ? listing.names : undefined;
      const nameOf = named
        ? await (await import('../nouns/read-names-by-id.ts')).readNamesById(named, connection)
        : String;
      const columns = await listing.columns({ paint: io.out, now: Date.now(), nameOf, connection });
      const data = (await listing.data?.()) ?? ((row: T) => row);
      await output(io, format, rows.map(data), () => listTable(io, rows, columns, wide));
      for (const warning of (await listing.warnings?.(rows)) ?? []) io.say(`${io.err.yellow('warning:')} ${warning}`);
      const cut = terminal ? choice.cut?.(rows, all) : null;
      if (cut) io.say(cut);
      return 'ok';
    },
  });
};

/** Throws a clear error if an older server does not know the address of this list. Otherwise, throws `error`. */
async function refuse(error: unknown, word: string): Promise<never> {
  const { isUnknownRoute } = await import('../is-unknown-route.ts');
  if (!isUnknownRoute(error)) throw error;
  throw new CliError(`this server does not list ${word} (HTTP ${error.status})`, {
    next: '`uptime doctor` shows whether this is the right server, and its version',
    cause: error,
  });
}
