/** The manifests that a command reads, and how it reads them. */
export interface ManifestChoice {
  /** The paths that `-f` gives. */
  files: string[];
  /** The environment whose overrides apply; null for none. */
  environment: string | null;
  /** Whether a manifest may include files outside of the project's folder. */
  allowOutside: boolean;
}
