/**
 * Environment variables with credentials of the command and of its CI job. No manifest may read them. Otherwise a
 * stranger's pull request could publish a credential as the name of a monitor, because the output shows such names.
 */
export const jobCredentials: readonly string[] = [
  'UPTIME_API_KEY',
  'GITHUB_TOKEN',
  'ACTIONS_RUNTIME_TOKEN',
  'ACTIONS_ID_TOKEN_REQUEST_TOKEN',
  'CI_JOB_TOKEN',
];
