/** Shows operators the health of this process, and manages the keys of its studio. */
import { ApiError } from "../api-error.ts";
import type { Handlers } from "../api-request.ts";
import type { DashboardServices } from "../dashboard-services.ts";
import type { StudioAdmin } from "../operator-services.ts";
import { requireWrites } from "./operator-servers.ts";

export const operatorProcessHandlers = {
	operatorHealth: async (_request, { operator }) => await operator.health(),

	async operatorChecks({ caller }, { operator }) {
		const checked = await operator.runChecks();
		const problems = checked.checks.flatMap(({ results }) => results).filter(({ grade }) => grade === "fix");
		caller.logger.info({ userId: caller.userId, problems: problems.length }, "checks run");
		return checked;
	},

	operatorStudio: async (_request, { operator: { studioAdmin } }) =>
		studioAdmin ? await readStudio(studioAdmin) : { isBuiltIn: false, accounts: [] },

	async createStudioKey({ body: { account, name }, caller }, services) {
		const studioAdmin = requireStudio(services);
		const { key, id } = await studioAdmin.createKey(account, name);
		caller.logger.info({ operatorId: caller.userId, account, studioKeyId: id }, "studio key created");
		return { key, ...(await readStudio(studioAdmin)) };
	},

	async revokeStudioKey({ params: { key }, caller }, services) {
		const studioAdmin = requireStudio(services);
		await studioAdmin.revokeKey(key);
		caller.logger.info({ operatorId: caller.userId, studioKeyId: key }, "studio key revoked");
		return await readStudio(studioAdmin);
	},
} satisfies Partial<Handlers>;

function requireStudio(services: Pick<DashboardServices, "operator">): StudioAdmin {
	const { studioAdmin } = services.operator;
	if (!studioAdmin) throw new ApiError("not_found", { key: "web.notFound" });
	requireWrites(services);
	return studioAdmin;
}

async function readStudio(studioAdmin: StudioAdmin) {
	return { isBuiltIn: true, accounts: await studioAdmin.list() };
}
