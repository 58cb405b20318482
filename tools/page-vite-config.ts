/** The Vite configuration of a page: builds `packages/NAME/web` into its `dist`, which is committed. */
import { fileURLToPath } from "node:url";
import type { UserConfig } from "vite";

interface PageOptions {
	/** `import.meta.url` of the page's vite.config.ts. */
	readonly configUrl: string;
	/** The path that the page is served below. */
	readonly base: string;
}

export function pageConfig({ configUrl, base }: PageOptions): UserConfig {
	return {
		root: fileURLToPath(new URL("./", configUrl)),
		base,
		logLevel: "warn",
		publicDir: false,
		oxc: { jsx: { runtime: "automatic", importSource: "preact", development: false } },
		build: {
			target: "es2024",
			assetsDir: "",
			// The content security policy rejects fonts and styles in data: addresses.
			assetsInlineLimit: 0,
			modulePreload: { polyfill: false },
			license: { fileName: "licenses.md" },
			rolldownOptions: {
				// No content hashes in the names, so that the diff of a change stays small.
				output: {
					entryFileNames: "page.js",
					chunkFileNames: "[name].js",
					assetFileNames: ({ names: [name] }) => (name?.endsWith(".css") ? "style.css" : "[name][extname]"),
				},
			},
		},
	};
}
