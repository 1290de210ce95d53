/**
 * Credentials of the command and of its CI job, which no manifest may read. Names and keys are shown, so the manifest of a
 * stranger's pull request could publish them.
 */
export const jobCredentials: readonly string[] = [
  'UPTIME_API_KEY',
  'GITHUB_TOKEN',
  'ACTIONS_RUNTIME_TOKEN',
  'ACTIONS_ID_TOKEN_REQUEST_TOKEN',
  'CI_JOB_TOKEN',
];
