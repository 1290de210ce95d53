/**
 * Credentials of the command and of its CI job, which no manifest may read. The output shows names and keys of a
 * manifest. So a stranger's pull request could publish a credential as a name.
 */
export const jobCredentials: readonly string[] = [
  'UPTIME_API_KEY',
  'GITHUB_TOKEN',
  'ACTIONS_RUNTIME_TOKEN',
  'ACTIONS_ID_TOKEN_REQUEST_TOKEN',
  'CI_JOB_TOKEN',
];
