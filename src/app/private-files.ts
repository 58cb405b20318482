/** What a process writes holds prompts, tokens and keys: only its owner may read it. */
const OTHERS = 0o077;

/**
 * Every file and folder that this process makes from now on, and every one that SQLite or a child process makes for it, is for
 * its owner alone: 0600 and 0700. What is there already keeps the permissions that its owner gave it.
 */
export function keepNewFilesPrivate(): void {
	process.umask(OTHERS);
}
