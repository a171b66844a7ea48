package app.tatami.dojo;

import com.getcapacitor.BridgeActivity;

public class MainActivity extends BridgeActivity {}
