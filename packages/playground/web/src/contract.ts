/** The types of the page API and of the admin API, from the server that defines them. */
export type * from "../../src/page-contract.ts";
export type { AdminState, RequestList, RequestRecord } from "../../src/admin/admin-contract.ts";
