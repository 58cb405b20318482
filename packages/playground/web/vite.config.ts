import { pageConfig } from "../../../tools/page-vite-config.ts";

export default pageConfig({ configUrl: import.meta.url, base: "./" });
