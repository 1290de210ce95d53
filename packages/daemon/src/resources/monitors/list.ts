import { passiveMonitorTypes } from '@uptime/sdk/contract';
import type { Store } from '../../store/store.ts';
import type { Project } from '../../store/tables.ts';
import type { AnswerOf, Backend, Handler } from '../handler.ts';
import { cursorOf, cutPage, readPage } from '../paging.ts';
import { registrationsOf, shownRows, shownWith } from './read.ts';
import { renderMonitor, type ShownRow } from './render.ts';

type Shown = AnswerOf<'listMonitors'>;

interface Position {
  seq: number;
  bytes: number;
}

/** Maximum size of one piece of a list. If a client stops reading, only a few pieces stay in memory. */
const maxAtOnce = { bytes: 256 * 1024, monitors: 200 };

/**
 * Lists all monitors of a project, one page of them, or the monitors with a given key or name. A list of many bytes is
 * sent in pieces.
 */
export const listMonitors: Handler<'listMonitors'> = async (request, backend) => {
  const page = readPage(request.query);
  const { db } = backend.store;
  let rows = db
    .selectFrom('monitor')
    .select(['seq', 'bytes'])
    .where('project_id', '=', request.project.id)
    .orderBy('seq');
  if (request.query.key !== undefined) rows = rows.where('key', '=', request.query.key);
  if (request.query.name !== undefined) rows = rows.where('name', '=', request.query.name);
  // A job uses a key with the scope `ping` only to find its ping address. So such a key can read only heartbeats.
  if (request.project.key?.scope === 'ping') rows = rows.where('type', 'in', passiveMonitorTypes);
  if (page.after !== null) rows = rows.where('seq', '>', page.after[0]);
  if (page.limit !== null) rows = rows.limit(page.limit + 1);
  const shown = cutPage(await rows.execute(), page, ({ seq }) => cursorOf(seq), request.nextPage);
  const pieces = inPieces(shown);
  if (pieces.length > 1) return rendered(backend, request.project, pieces);
  return pieces[0] ? render(backend, request.project, pieces[0]) : [];
};

async function* rendered(
  backend: Backend,
  project: Pick<Project, 'id'>,
  pieces: readonly Position[][],
): AsyncGenerator<Shown> {
  for (const piece of pieces) {
    const monitors = await render(backend, project, piece);
    if (monitors.length > 0) yield monitors;
  }
}

async function render(backend: Backend, project: Pick<Project, 'id'>, piece: readonly Position[]): Promise<Shown> {
  const { db }: Pick<Store, 'db'> = backend.store;
  const found: ShownRow[] = await shownRows(db, project)
    .where(
      'monitor.seq',
      'in',
      piece.map(({ seq }) => seq),
    )
    .orderBy('monitor.seq')
    .execute();
  const registrations = await registrationsOf(db, found);
  const shared = shownWith(backend);
  return found.map((row) => renderMonitor(row, shared, registrations.get(row.domain)));
}

function inPieces(positions: readonly Position[]): Position[][] {
  const pieces: Position[][] = [];
  let bytes = 0;
  for (const position of positions) {
    const piece = pieces.at(-1);
    if (!piece || piece.length === maxAtOnce.monitors || bytes + position.bytes > maxAtOnce.bytes) {
      pieces.push([position]);
      bytes = position.bytes;
    } else {
      piece.push(position);
      bytes += position.bytes;
    }
  }
  return pieces;
}
