import { ApiError } from '@uptime/sdk';

/** Whether an error says that the server does not know this address of the API, because the server is older. */
export const isUnknownRoute = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.status === 404 || error.status === 501);
