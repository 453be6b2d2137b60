package browser

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// A Screen is what a page is looked at with.
type Screen struct {
	Width, Height int  // CSS pixels
	Dark          bool // the reader prefers dark colours
	Phone         bool // a touch screen of a phone, with its density
	Print         bool // on paper
}

// Open opens a page and waits until it is loaded.
func (b *Browser) Open(url string, s Screen) error {
	if err := b.open(url, s); err != nil {
		return fmt.Errorf("open %s: %w", url, err)
	}
	return nil
}

func (b *Browser) open(url string, s Screen) error {
	b.Complaints = nil
	scale := 1
	if s.Phone {
		scale = 2
	}
	scheme, media := "light", ""
	if s.Dark {
		scheme = "dark"
	}
	if s.Print {
		media = "print"
	}
	if err := b.call("Emulation.setDeviceMetricsOverride", args{"width": s.Width, "height": s.Height, "deviceScaleFactor": scale, "mobile": s.Phone}, nil); err != nil {
		return err
	}
	feature := args{"name": "prefers-color-scheme", "value": scheme}
	if err := b.call("Emulation.setEmulatedMedia", args{"media": media, "features": []args{feature}}, nil); err != nil {
		return err
	}
	var started struct{ ErrorText string }
	if err := b.call("Page.navigate", args{"url": url}, &started); err != nil {
		return err
	}
	if started.ErrorText != "" {
		return errors.New(started.ErrorText)
	}
	for deadline := time.Now().Add(callLimit); ; time.Sleep(10 * time.Millisecond) {
		var state string
		if err := b.Evaluate(`location.href !== "about:blank" && document.readyState`, &state); err == nil && state == "complete" {
			return nil
		}
		if time.Now().After(deadline) {
			return errors.New("it does not finish loading")
		}
	}
}

// Evaluate runs an expression of JavaScript on the page and stores its value, as JSON has it, in result, unless that is nil.
func (b *Browser) Evaluate(expression string, result any) error {
	var answer struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails *struct {
			Text      string
			Exception struct{ Description string }
		}
	}
	if err := b.call("Runtime.evaluate", args{"expression": expression, "returnByValue": true, "awaitPromise": true}, &answer); err != nil {
		return err
	}
	switch {
	case answer.ExceptionDetails != nil:
		return fmt.Errorf("evaluate %s: %s %s", expression, answer.ExceptionDetails.Text, answer.ExceptionDetails.Exception.Description)
	case result == nil:
		return nil
	case answer.Result.Value == nil:
		return fmt.Errorf("evaluate %s: it has no value", expression)
	}
	return json.Unmarshal(answer.Result.Value, result)
}

// Press presses a key, named as KeyboardEvent.key has it; text is what it writes, or empty.
func (b *Browser) Press(key, text string) error {
	for _, kind := range []string{"keyDown", "keyUp"} {
		params := args{"type": kind, "key": key, "code": key}
		if text != "" && kind == "keyDown" {
			params["text"] = text
		}
		if key == "Tab" {
			params["windowsVirtualKeyCode"] = 9
		}
		if err := b.call("Input.dispatchKeyEvent", params, nil); err != nil {
			return err
		}
	}
	return nil
}

// Screenshot is a picture of the whole page, as a PNG.
func (b *Browser) Screenshot() ([]byte, error) {
	var size struct {
		CSSContentSize struct{ Width, Height float64 }
	}
	if err := b.call("Page.getLayoutMetrics", nil, &size); err != nil {
		return nil, err
	}
	const tallest = 8000
	clip := args{"x": 0, "y": 0, "width": size.CSSContentSize.Width, "height": min(size.CSSContentSize.Height, tallest), "scale": 1}
	var shot struct{ Data []byte }
	err := b.call("Page.captureScreenshot", args{"format": "png", "captureBeyondViewport": true, "clip": clip}, &shot)
	return shot.Data, err
}
