/** Builds the page into dist/. No content hashes in the names, so that the diff of a change stays small. */
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

export default defineConfig({
	root: fileURLToPath(new URL("./", import.meta.url)),
	base: "./",
	logLevel: "warn",
	publicDir: false,
	oxc: { jsx: { runtime: "automatic", importSource: "preact", development: false } },
	build: {
		target: "es2024",
		assetsDir: "",
		// The content security policy refuses fonts and styles in data: addresses.
		assetsInlineLimit: 0,
		modulePreload: { polyfill: false },
		license: { fileName: "licenses.md" },
		rolldownOptions: {
			output: { entryFileNames: "page.js", assetFileNames: "[name][extname]" },
		},
	},
});
