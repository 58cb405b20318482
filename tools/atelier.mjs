#!/usr/bin/env node
// Runs the program `atelier` on Node 24, started by any Node: `npx atelier` in a checkout, `atelier` in the image.
import { fileURLToPath } from "node:url";

process.argv.splice(2, 0, fileURLToPath(new URL("../src/cli/atelier.ts", import.meta.url)));
await import("./node24.mjs");
