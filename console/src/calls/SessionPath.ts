export const sessionPath = "/console/api/session"
