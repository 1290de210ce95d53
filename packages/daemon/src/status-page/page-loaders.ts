import type { Store } from '../store/store.ts';
import type { PageLoaders } from './forms.ts';
import { createHistoryLoader } from './load-history.ts';
import { createIncidentLoader } from './load-incident.ts';
import { createPageLoader } from './load-page.ts';

/** Reads a page and its parts from a store. */
export const createPageLoaders = (store: Store): PageLoaders => ({
  page: createPageLoader(store),
  history: createHistoryLoader(store),
  incident: createIncidentLoader(store),
});
