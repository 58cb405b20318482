/**
 * Packages of the lock that want to run code while they are installed. None may (.npmrc); each works without, for the
 * reason given. A new one fails a test, and is looked at by a person: docs/decisions/0001-node-from-the-registry.md.
 */
export const WITH_INSTALL_SCRIPT: Readonly<Record<string, string>> = {
	"msgpackr-extract": "builds a faster decoder; the one in JavaScript is taken where there is none",
	"node-av": "fetches an ffmpeg program from a release page; only its library is used, which comes as a package",
};
