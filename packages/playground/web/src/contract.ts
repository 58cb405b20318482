/** The types of the page API and of the admin API, from the playground, which defines them. */
export type * from "../../src/page/page-contract.ts";
export type * from "../../src/admin/admin-contract.ts";
export type { AdminClient } from "../../src/admin/admin-client.ts";
export type { RequestFault } from "../../src/fault-injection.ts";
