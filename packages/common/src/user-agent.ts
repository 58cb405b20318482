import { createRequire } from "node:module";

const { version } = createRequire(import.meta.url)("../../../package.json") as { readonly version: string };

export const USER_AGENT = `Atelier/${version}`;
