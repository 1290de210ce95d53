/** Returns epoch milliseconds as the API writes times: ISO 8601, UTC, with milliseconds. */
export const isoTime = (at: number): string => new Date(at).toISOString();

export const isoTimeOrNull = (at: number | null): string | null => (at === null ? null : isoTime(at));
