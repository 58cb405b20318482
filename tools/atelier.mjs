#!/usr/bin/env node
// The program `atelier` on Node 24, whichever Node runs this: `npx atelier` in a checkout, `atelier` in the image.
import { fileURLToPath } from "node:url";

process.argv.splice(2, 0, fileURLToPath(new URL("../src/cli/atelier.ts", import.meta.url)));
await import("./node24.mjs");
