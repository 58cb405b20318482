/**
 * Packages of the lock with install scripts. None may run (.npmrc); each works without it, for the stated reason. A
 * new one fails a test until it was reviewed: docs/decisions/0001-node-from-the-registry.md.
 */
export const WITH_INSTALL_SCRIPT: Readonly<Record<string, string>> = {
	"node-av": "fetches an ffmpeg program from a release page; only its library is used, which comes as a package",
};
