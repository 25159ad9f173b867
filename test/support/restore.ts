/** Files share their modules and globals: what one of them has replaced is put back for the next. */
afterAll(() => {
	vi.useRealTimers();
	vi.restoreAllMocks();
});
