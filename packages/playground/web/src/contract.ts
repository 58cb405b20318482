/** The types of the page API and of the admin API, from the server that defines them. */
export type * from "../../src/page-contract.ts";
export type { AdminState, RequestList } from "../../src/admin/admin-contract.ts";
export type { RequestRecord } from "../../src/rest/request-record.ts";
