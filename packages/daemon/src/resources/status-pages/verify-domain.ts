import { ServiceError } from '../../errors.ts';
import type { Handler } from '../handler.ts';
import { findRow } from '../find-row.ts';
import { showStatusPage } from './read.ts';

export const verifyDomain: Handler<'verifyDomain'> = async (request, backend) => {
  const { store, domains } = backend;
  const page = await findRow(store.db, 'status_page', request.project, request.params.statusPageId);
  const { custom_domain } = page;
  if (custom_domain === null) throw new ServiceError('conflict', 'This page has no custom domain to verify.');
  await domains.look({ ...page, custom_domain });
  return showStatusPage(store.db, await findRow(store.db, 'status_page', request.project, page.id), backend);
};
