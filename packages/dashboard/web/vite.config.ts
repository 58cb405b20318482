import { pageConfig } from "../../../tools/page-vite-config.ts";

// An absolute base, because the bot serves index.html at every path below /dashboard/.
export default pageConfig({ configUrl: import.meta.url, base: "/dashboard/" });
