/** Which manifests a command reads, and how. */
export interface ManifestChoice {
  /** The paths given by `-f`. */
  files: string[];
  /** The environment whose overrides hold; null for none. */
  environment: string | null;
  /** Whether a manifest may include files outside of the project's folder. */
  allowOutside: boolean;
}
