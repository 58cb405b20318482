import { createRequire } from "node:module";

export const { version: VERSION } = createRequire(import.meta.url)("../../../package.json") as {
	readonly version: string;
};
export const USER_AGENT = `Atelier/${VERSION}`;
