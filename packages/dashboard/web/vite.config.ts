/** Builds the page into dist/. No content hashes in the names, so that the diff of a change stays small. */
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

export default defineConfig({
	root: fileURLToPath(new URL("./", import.meta.url)),
	// Absolute: the bot serves index.html at every path below /dashboard/.
	base: "/dashboard/",
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
			output: {
				entryFileNames: "page.js",
				chunkFileNames: "[name].js",
				assetFileNames: ({ names: [name] }) => (name?.endsWith(".css") ? "style.css" : "[name][extname]"),
			},
		},
	},
});
