/** Files of the process hold prompts, tokens and keys: only its owner may read them. */
const GROUP_AND_OTHERS_BITS = 0o077;

/**
 * Makes every new file and folder of this process, SQLite and child processes accessible to the owner alone (0600,
 * 0700). Existing files keep their permissions.
 */
export function keepNewFilesPrivate(): void {
	process.umask(GROUP_AND_OTHERS_BITS);
}
