import { pageConfig } from "../../../tools/vite-page.ts";

export default pageConfig({ configUrl: import.meta.url, base: "./" });
