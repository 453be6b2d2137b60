// Package browser opens pages in Chromium for tests: to see them as a reader does, on any size of screen, in light and
// dark, and to try their scripts. It steers the browser through a pipe (the DevTools protocol), so nothing listens on a port.
//
//	b, err := browser.Start(ctx)
//	if errors.Is(err, browser.ErrUnavailable) {
//		t.Skip(err)
//	}
//	defer b.Close()
//	err = b.Open("file:///…/index.html", browser.Screen{Width: 390, Height: 844, Dark: true})
//	png, err := b.Screenshot()
//
// Chromium or Chrome has to be there; [Find] says where it looks. In CI, on a Debian system and as root, it is installed.
package browser
