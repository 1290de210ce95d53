import { ServiceError } from '../../errors.ts';
import type { Handler } from '../handler.ts';
import { findStatusPage, showStatusPage } from './read.ts';

export const verifyDomain: Handler<'verifyDomain'> = async (request, backend) => {
  const { store, domains } = backend;
  const page = await findStatusPage(store.db, request.project, request.params.statusPageId);
  const { custom_domain } = page;
  if (custom_domain === null) throw new ServiceError('conflict', 'This page has no custom domain to look at.');
  await domains.look({ ...page, custom_domain });
  return showStatusPage(store.db, await findStatusPage(store.db, request.project, page.id), backend);
};
