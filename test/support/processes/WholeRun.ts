/** Whether a test that has a small run for the suite is to make its whole one: `npm run test:laws`. */
export const isWholeRun = process.env["WHOLE_RUN"] === "yes"
